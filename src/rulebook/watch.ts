import type { GovPaths } from '../base/gov-paths.ts';
import type { Finding } from './finding.ts';
import { compileInContext } from './in-context.ts';
import { layersOf } from './layers.ts';
import { type Published, publishLayers } from './publish.ts';
import { runTests, type TestResult } from './rule-tests.ts';
import type { KnownSources } from './source-files.ts';
import type { TestBench } from './test-event.ts';

/** What one look at the watched files came to. */
export interface Round {
  /** No error, and no test that fails. */
  readonly good: boolean;
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly rules: number;
  /** How many tests ran: none where something is wrong already. */
  readonly tests: number;
  readonly failed: readonly TestResult[];
}

/** Looks at the same files again and again; what did not change since is not parsed again. */
export interface Watched {
  /** Checks and tests the files as they are now. Throws GovError `policy-unreadable`. */
  round(): Round;
  /** Compiles the layers of this user into the bundles that hooks read, unless one of them is faulty. */
  publish(paths: GovPaths, workspace: string | null): Published;
}

export function watched(path: string, bench: TestBench): Watched {
  const known: KnownSources = new Map();
  return {
    round() {
      const compiled = compileInContext([path], {}, known);
      const files = new Set(compiled.files);
      const errors = compiled.own.filter((f) => f.severity === 'error').length;
      const tests = errors > 0 ? [] : runTests(compiled, bench, { files });
      const failed = tests.filter((t) => !t.ok);
      return {
        good: errors + failed.length === 0,
        findings: compiled.own,
        errors,
        rules: compiled.written.filter((w) => files.has(w.doc.file.path)).length,
        tests: tests.length,
        failed,
      };
    },
    publish: (paths, workspace) => publishLayers(paths, workspace, layersOf(paths, undefined, known)),
  };
}

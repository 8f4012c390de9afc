export const HOME: string;
export const WORKSPACE: string;

export interface Case {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
  readonly world?: {
    readonly home?: string;
    readonly workspace?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly symlinks?: Readonly<Record<string, string>>;
  };
}

export function payloadOf(testCase: Case): Readonly<Record<string, unknown>>;
export function worldOf(
  testCase: Case,
): readonly (
  | { readonly path: string; readonly target: string }
  | { readonly path: string; readonly content: string }
)[];

import type { DestDraft, EffectDraft, FileDraft, Sends } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { fetched, isSecretFile, takesSecret } from './leaving.ts';
import { strangeCode } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { landing } from './paths.ts';
import { isHere, isRemotePath } from './ssh.ts';
import { sshOptions } from './ssh-config.ts';
import { contentOf, QUIET } from './streams.ts';
import { merge } from './subcommands.ts';
import { cut } from './words.ts';

/** Copies between machines, from scp(1), sftp(1), rsync(1). */
export const copies: readonly Program[] = [
  define({
    names: ['scp', 'pscp'],
    manual: 'scp(1), OpenSSH',
    summary: 'copies files between machines',
    options: 'c:, D:, F:, i:, J:, l:, o:, P:, S:, X:, 3, 4, 6, A, B, C, O, p, q, R, r, s, T, v',
    run: (args, inv) => {
      const program = args.values('S', 'D').map((text): Nested => ({ kind: 'script', via: 'scp', text }));
      return merge(sshOptions(args, inv), copy(args.operands, inv, args.has('r'), 'ssh'), {
        nested: program,
        stdout: QUIET,
      });
    },
  }),
  define({
    names: ['rsync', 'rclone-sync', 'lsyncd'],
    manual: 'rsync(1)',
    summary: 'copies trees, here or between machines',
    options:
      'e rsh:, rsync-path:, f filter:, exclude:, include:, exclude-from:, include-from:, files-from:, T temp-dir:, suffix:, backup-dir:, log-file:, log-file-format:, compare-dest:, copy-dest:, link-dest:, password-file:, write-batch:, only-write-batch:, read-batch:, port:, sockopts:, bwlimit:, chmod:, chown:, usermap:, groupmap:, partial-dir:, max-size:, min-size:, max-delete:, timeout:, contimeout:, address:, out-format:, info:, debug:, iconv:, checksum-choice:, compress-level:, compress-choice:, skip-compress:, B block-size:, M remote-option:, config:, modify-window:, stop-after:, a archive, r recursive, n dry-run, delete, del, delete-before, delete-during, delete-delay, delete-after, delete-excluded, delete-missing-args, remove-source-files, b backup, u update, l links, L copy-links, K keep-dirlinks, H, p perms, o, g, t times, D, S, W, x, z compress, h human-readable, v verbose, q quiet, P, progress, partial, stats, i itemize-changes, c checksum, I, existing, ignore-existing, list-only, daemon, no-detach, R relative, C cvs-exclude, m prune-empty-dirs, 4, 6, 0 from0, F, s, d dirs, O, J, A acls, X xattrs, E, y fuzzy, force, inplace, append, mkpath, numeric-ids, safe-links, version, help',
    run: (args, inv) => rsync(args, inv),
  }),
  define({
    names: ['sftp', 'psftp'],
    manual: 'sftp(1), OpenSSH',
    summary: 'copies files in a session',
    options: 'B:, b:, c:, D:, F:, i:, J:, l:, o:, P:, R:, S:, s:, X:, 4, 6, A, a, C, f, N, p, q, r, v',
    run: (args, inv) => {
      const [host] = args.operands;
      const batch = args.value('b');
      const stream = batch && word(batch) !== '-' ? contentOf(inv, batch) : inv.stdinIsOpen ? null : inv.stdin;
      const session = stream
        ? sessionOf(stream.value && textOf(stream.value), inv, 'sftp')
        : { sends: 'nothing' as const, outcome: {} };
      const dests: DestDraft[] = host ? [{ address: host, scheme: 'sftp', sends: session.sends }] : [];
      const program = args.values('S', 'D').map((text): Nested => ({ kind: 'script', via: 'sftp', text }));
      const strange = strangeCode(
        inv,
        args.values('S', 'D').filter((text) => /^[/~.]/.test(render(text))),
      );
      return merge(
        sshOptions(args, inv),
        { dests, files: batch ? reads([batch]) : [], nested: program, effects: strange },
        session.outcome,
      );
    },
  }),
  define({
    names: ['ftp', 'lftp', 'ncftp', 'ncftpput', 'ncftpget', 'tftp', 'curlftpfs', 'smbclient', 'cadaver'],
    manual: 'ftp(1), lftp(1), tftp(1), smbclient(1)',
    summary: 'copies files in a session',
    options: 'e:, c:, f:, u:, p:, U:, P:, i, n, v, d, g, A, R, m:, l, N, k, D:, I:, t:',
    run: (args, inv) => {
      const [host] = args.operands;
      const inline = [...args.values('e'), ...args.values('c')].map((v) => textOf(v));
      const file = inv.name.startsWith('ncftp') ? null : args.value('f');
      const streams = [file ? contentOf(inv, file).value : null, inv.stdinIsOpen ? null : inv.stdin.value];
      const texts = [...inline, ...streams.map((v) => v && textOf(v))].filter((t): t is string => t !== null);
      const unread = !inv.stdinIsOpen && inv.stdin.value === null;
      const sessions = texts.map((t) => sessionOf(t.replaceAll(';', '\n'), inv, inv.name));
      const pushed = inv.name === 'ncftpput' ? args.operands.slice(2) : [];
      const sends = worst([
        ...sessions.map((s) => s.sends),
        ...pushed.map((p) => sent(inv, p)),
        unread ? 'file' : 'nothing',
      ]);
      const scheme = inv.name === 'tftp' ? 'tftp' : inv.name === 'smbclient' ? 'smb' : 'ftp';
      return merge(
        {
          files: [...reads(pushed), ...(file ? reads([file]) : [])],
          dests: host ? [{ address: host, scheme, sends }] : [],
        },
        ...sessions.map((s) => s.outcome),
      );
    },
  }),
];

function sent(inv: Invocation, path: Value): Sends {
  return isSecretFile(inv, path) ? 'secret' : 'file';
}

function worst(list: readonly Sends[]): Sends {
  return (['secret', 'file', 'text'] as const).find((s) => list.includes(s)) ?? 'nothing';
}

/** Sources and a target, any of which may be on another machine. */
function copy(operands: readonly Value[], inv: Invocation, recursive: boolean, scheme: string): Outcome {
  const target = operands[operands.length - 1];
  const sources = operands.slice(0, -1);
  if (!target || sources.length === 0) return {};
  const here = sources.filter((s) => !isRemotePath(s));
  const there = sources.filter(isRemotePath);
  const files: FileDraft[] = here.map((path) => ({ op: 'read', path, recursive }));
  const dests: DestDraft[] = there.map((address) => ({ address, scheme, sends: 'nothing' }));
  if (isRemotePath(target)) {
    dests.push({ address: target, scheme, sends: worst(here.map((p) => sent(inv, p))) });
    return { files, dests, effects: there.flatMap((source) => takesSecret(inv, source)) };
  }
  const into = sources.length > 1;
  for (const source of here) files.push({ op: 'write', path: landing(inv, target, source, into), recursive });
  const effects = there.flatMap((source) => takesSecret(inv, source));
  for (const source of there) {
    const path = landing(inv, target, cut(source, ':')?.[1] ?? source, into);
    files.push({ op: 'write', path, recursive, content: fetched(source) });
  }
  return { files, dests, effects };
}

const DELETING = ['delete', 'del', 'delete-before', 'delete-during', 'delete-delay', 'delete-after', 'delete-excluded'];

function rsync(args: Parsed, inv: Invocation): Outcome {
  if (args.has('daemon')) return { effects: [{ kind: 'listen', target: word(args.value('port')) || '873' }] };
  const { operands } = args;
  const target = operands[operands.length - 1];
  const sources = operands.slice(0, -1);
  const recursive = args.has('recursive', 'archive');
  const files: FileDraft[] = [
    ...reads(
      [...args.values('exclude-from', 'include-from', 'files-from', 'password-file', 'read-batch')].filter(
        (p) => !isRemotePath(p),
      ),
    ),
    ...args
      .values('log-file', 'write-batch', 'backup-dir', 'partial-dir', 'temp-dir')
      .map((path): FileDraft => ({ op: 'write', path })),
  ];
  const remote = operands.some(isRemotePath);
  // A log-in on this very machine is no other machine.
  const elsewhere = operands.some((o) => isRemotePath(o) && !isHere(o));
  const nested: Nested[] = [
    ...(remote ? args.values('rsh') : []).map((text): Nested => ({ kind: 'script', via: 'rsync -e', text })),
    ...args
      .values('rsync-path')
      .map((text): Nested => ({ kind: 'script', via: 'rsync', text, ...(elsewhere ? { elsewhere: 'remote' } : {}) })),
  ];
  if (!target || sources.length === 0 || args.has('dry-run', 'list-only')) {
    const dests = operands
      .filter(isRemotePath)
      .map((address): DestDraft => ({ address, scheme: 'ssh', sends: 'nothing' }));
    return {
      files: [
        ...files,
        ...reads(
          operands.filter((o) => !isRemotePath(o)),
          { recursive },
        ),
      ],
      dests,
      nested,
    };
  }
  const here = sources.filter((s) => !isRemotePath(s));
  const there = sources.filter(isRemotePath);
  const scheme = operands.some((o) => /^rsync:|::/.test(word(o))) ? 'rsync' : 'ssh';
  files.push(...reads(here, { recursive }));
  const dests: DestDraft[] = there.map((address) => ({ address, scheme, sends: 'nothing' }));
  if (isRemotePath(target)) dests.push({ address: target, scheme, sends: worst(here.map((p) => sent(inv, p))) });
  else {
    const [far] = there;
    const one =
      far && there.length === 1 && !recursive ? landing(inv, target, cut(far, ':')?.[1] ?? far, false) : target;
    files.push({ op: 'write', path: one, recursive, ...(far ? { content: fetched(far) } : {}) });
    if (DELETING.some((o) => args.has(o)))
      files.push({ op: 'delete', path: target, recursive: true, contentsOnly: true });
  }
  if (args.has('remove-source-files')) {
    for (const path of here) files.push({ op: 'delete', path, recursive, contentsOnly: true });
  }
  const effects: EffectDraft[] = isRemotePath(target) ? [] : there.flatMap((source) => takesSecret(inv, source));
  for (const shell of remote ? args.values('rsh') : []) {
    if (!USUAL_SHELL.test(render(shell))) {
      effects.push({
        kind: 'exec-unknown',
        target: 'rsync -e',
        detail: `rsync runs ${render(shell).slice(0, 80)} here`,
      });
    }
  }
  if (isRemotePath(target) && DELETING.some((o) => args.has(o))) {
    effects.push({ kind: 'infra-destroy', target: render(target), detail: 'rsync --delete on another machine' });
  }
  return { files, dests, nested, effects, stdout: QUIET };
}

/** Programs that carry rsync to the other end. */
const USUAL_SHELL = /^(\S*\/)?(ssh|rsh|sshpass|docker|podman|kubectl|oc|gcloud|tsh|sudo ssh|doas ssh|autossh)( |$)/;

/** The commands of a file-transfer session: what is sent, what is saved, what runs here. */
function sessionOf(text: string | null, inv: Invocation, via: string): { sends: Sends; outcome: Outcome } {
  if (text === null) return { sends: 'file', outcome: {} };
  const sends: Sends[] = [];
  const files: FileDraft[] = [];
  const nested: Nested[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim().replace(/^-/, '');
    const words = line.split(/\s+/).filter((w, i) => i === 0 || !w.startsWith('-'));
    const [verb, first, second] = words;
    const shell = /^(?:!|shell\s)\s*(.+)$/i.exec(line)?.[1];
    if (shell) nested.push({ kind: 'script', via, text: known(shell) });
    else if (/^(?:rm|mrm|rmdir|delete|mdelete|rename)$/i.test(verb ?? '') && first)
      // The session's own commands are near enough to the shell's.
      nested.push({
        kind: 'script',
        via,
        text: known(`${/^rename$/i.test(verb as string) ? 'mv' : 'rm'} ${words.slice(1).join(' ')}`),
        elsewhere: 'remote',
      });
    else if (/^(put|mput|send|append|reput)$/i.test(verb ?? '') && first) {
      sends.push(sent(inv, known(first)));
      files.push({ op: 'read', path: known(first), recursive: true });
    } else if (/^(get|mget|recv|reget|pget)$/i.test(verb ?? '') && first) {
      files.push({
        op: 'write',
        path: known(second ?? (first.split('/').pop() as string)),
        content: fetched(known(first)),
      });
    } else if (/^mirror$/i.test(verb ?? '')) {
      const up = /\s(-R|--reverse)\b/.test(line);
      const local = up ? first : second;
      sends.push(up ? 'file' : 'nothing');
      files.push(
        up
          ? { op: 'read', path: known(local ?? '.'), recursive: true }
          : { op: 'write', path: known(local ?? '.'), recursive: true },
      );
    }
  }
  return { sends: worst(sends), outcome: { files, nested } };
}

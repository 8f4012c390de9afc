import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { sqlText } from './cloud-command.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { fetched, isSecretFile } from './leaving.ts';
import type { Parsed } from './options.ts';
import { below, landing } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { pathOf, resourceCommand, type VerbRow } from './verbs.ts';
import { drop, say, starts } from './words.ts';

const ROWS: readonly VerbRow[] = [
  [/^(secretsmanager (get-secret-value|batch-get-secret-value)|ssm get-parameter-history)/, 'secret-read'],
  [/^sts (get-session-token|assume-role\S*|get-federation-token)/, 'secret-read'],
  [
    /^(ecr|ecr-public|codeartifact|eks|rds|redshift) (get-login|get-login-password|get-authorization-token|get-token|generate-db-auth-token|get-cluster-credentials)/,
    'secret-read',
  ],
  [
    /^kms decrypt|^iam create-access-key|^configure (export-credentials|get (aws_secret_access_key|aws_session_token))|^lightsail (get-instance-access-details|download-default-key-pair)|^ec2 get-password-data/,
    'secret-read',
  ],
  [/^sso get-role-credentials|^ec2 describe-instance-attribute .*userdata/i, 'secret-read'],
  [/^cognito-idp admin-(set|reset|create|delete|disable|enable|add|remove|update)\S*/, 'account'],
  [/^organizations (leave|close|remove|delete)\S*/, 'infra-destroy'],
  [/^s3 presign/, 'share-publicly'],
  [/^iam (create|delete|attach|detach|put|add|remove|update|deactivate)\S*/, 'account'],
  [
    /^(help|configure (list|get)|sso|login|logout|history|logs (tail|filter-log-events|start-query|get)|s3 ls|sts|cloudformation (validate-template|package|estimate)|ec2 describe|dynamodb (get-item|query|scan|batch-get-item)|athena (get|start-query)|cloudwatch get|ssm describe|stepfunctions describe)/,
    null,
  ],
  [
    /^(s3 (rm|rb)|s3api delete-\S+|ec2 terminate-instances|dynamodb delete-\S+|rds delete-\S+|cloudformation delete-\S+)/,
    'infra-destroy',
  ],
  [
    /^(s3 (cp|mv|sync)|ssm (start-session|send-command)|ecs execute-command|configure set|eks update-kubeconfig) ?/,
    null,
  ],
  [/^s3 (mb|website)/, 'infra-apply'],
  [/^dynamodb (batch-write-item|transact-write-items)/, 'infra-apply'],
  [/^dynamodb (put-item|update-item)/, 'db-write'],
];

/** The AWS command line, from the AWS CLI reference. */
export const aws: readonly Program[] = [
  define({
    names: ['aws', 'awslocal', 'aws2', 'aws.exe'],
    manual: 'AWS CLI command reference',
    summary: 'resources of an AWS account',
    options:
      'query-string:, sql:, profile:, region:, output:, query:, endpoint-url:, ca-bundle:, cli-input-json:, cli-input-yaml:, cli-read-timeout:, cli-connect-timeout:, color:, include:, exclude:, acl:, storage-class:, sse?, sse-kms-key-id:, content-type:, cache-control:, metadata:, expires-in:, page-size:, max-items:, starting-token:, bucket:, key:, body:, prefix:, delete, recursive, dryrun, dry-run, quiet, no-progress, only-show-errors, force, no-sign-request, no-paginate, no-verify-ssl, debug, no-cli-pager, follow, human-readable, summarize, instance-ids:, stack-name:, function-name:, table-name:, name:, names:, secret-id:, cluster:, service:, task:, container:, command:, parameters:, document-name:, targets:, filters:, template-body:, template-file:, capabilities:, payload:, cli-binary-format:, user-name:, role-arn:, role-session-name:, policy-arn:, db-instance-identifier:, log-group-name:, since:, zip-file:, target:, kubeconfig:, alias:, with-decryption, interactive',
    style: { abbreviations: false },
    run: (args, inv) => run(args, inv),
  }),
];

function run(args: Parsed, inv: Invocation): Outcome {
  const path = pathOf(args);
  const endpoint = word(args.value('endpoint-url') ?? inv.env.get('AWS_ENDPOINT_URL'));
  const emulated =
    inv.name === 'awslocal' || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|localstack)(:|\/|$)/.test(endpoint);
  const found = merge(resourceCommand(args, 'aws', ROWS, null, 1), special(path, args, inv));
  if (!emulated) return found;
  return { ...found, effects: (found.effects ?? []).filter((e) => !/^(infra|db|account|secret)/.test(e.kind)) };
}

function special(path: string, args: Parsed, inv: Invocation): Outcome {
  const [, verb] = path.split(' ');
  if (path.startsWith('s3 ') && /^(cp|mv|sync)$/.test(verb ?? '')) return transfer(verb as string, args, inv);
  if (
    /^(athena start-query-execution|rds-data (execute|batch-execute)-statement|redshift-data execute-statement)/.test(
      path,
    )
  )
    return sqlText(args.value('query-string') ?? args.value('sql') ?? null, false, path.split(' ')[0] ?? 'aws');
  if (/^s3api (put-object|upload-part) ?/.test(path)) {
    const body = args.value('body');
    return body
      ? { files: [{ op: 'read', path: body }], dests: [bucket(args.value('bucket') ?? [], inv, [body])] }
      : {};
  }
  if (/^s3api get-object /.test(path)) {
    const out = args.operands[2];
    return out ? { files: [{ op: 'write', path: out, content: fetched(args.value('key') ?? ['s3']) }] } : {};
  }
  if (/^ssm get-parameter/.test(path)) return args.has('with-decryption') ? printsSecret(`a parameter of ssm`) : {};
  if (/^lambda invoke /.test(path)) {
    const out = args.operands[2];
    return out ? { files: [{ op: 'write', path: out }] } : {};
  }
  if (/^(ssm (start-session|send-command)|ecs execute-command)/.test(path)) {
    const text = args.value('command') ?? args.value('parameters');
    const command = text ? (/commands?=(.*)$/s.exec(say(text))?.[1] ?? say(text)) : '';
    const target = say(args.value('instance-ids') ?? args.value('target') ?? args.value('task'));
    const effects: EffectDraft[] = [{ kind: 'infra-apply', target, detail: 'runs a command on another machine' }];
    return {
      effects,
      nested: command === '' ? [] : [{ kind: 'script', via: 'aws', text: [command], elsewhere: 'remote' }],
    };
  }
  if (/^configure( (set|import|sso))?($| )/.test(path) && !/^configure (list|get|export)/.test(path)) {
    return { effects: [], files: [{ op: 'write', path: below([inv.world.home], ['.aws/config']) }] };
  }
  if (/^eks update-kubeconfig/.test(path)) {
    if (args.has('dry-run')) return {};
    return {
      effects: [],
      files: [{ op: 'write', path: args.value('kubeconfig') ?? below([inv.world.home], ['.kube/config']) }],
    };
  }
  return {};
}

/** `aws s3 cp|mv|sync FROM TO`: what stays here, what leaves, what is deleted. */
function transfer(verb: string, args: Parsed, inv: Invocation): Outcome {
  const [from, to] = args.operands.slice(2);
  if (!from || !to) return {};
  const recursive = verb === 'sync' || args.has('recursive');
  const files: FileDraft[] = [];
  const dests: DestDraft[] = [];
  const effects: EffectDraft[] = [];
  const dry = args.has('dryrun');
  const [fromCloud, toCloud] = [starts(from, 's3://'), starts(to, 's3://')];
  if (!fromCloud && word(from) !== '-') files.push({ op: verb === 'mv' ? 'delete' : 'read', path: from, recursive });
  if (!toCloud && word(to) !== '-' && !dry) {
    const path = recursive ? to : landing(inv, to, from, false);
    files.push({ op: 'write', path, recursive, content: fetched(from) });
    if (args.has('delete')) files.push({ op: 'delete', path: to, recursive: true, contentsOnly: true });
  }
  if (toCloud && !fromCloud) dests.push(bucket(to, inv, word(from) === '-' ? [] : [from]));
  const destroys = (toCloud && args.has('delete')) || (fromCloud && verb === 'mv');
  if (!dry && (toCloud || destroys))
    effects.push({
      kind: destroys ? 'infra-destroy' : 'infra-apply',
      target: say(to),
      detail: `aws s3 ${verb}${args.has('delete') ? ' --delete' : ''}`,
      recursive,
    });
  return { files, dests, effects, stdout: word(to) === '-' ? { value: null, taints: ['network'] } : QUIET };
}

function bucket(url: Value, inv: Invocation, sent: readonly Value[]): DestDraft {
  const secret =
    sent.some((path) => isSecretFile(inv, path)) || (sent.length === 0 && inv.stdin.taints.includes('secret'));
  const name = starts(url, 's3://') ? (textOf(drop(url, 5)) ?? '').split('/')[0] : textOf(url);
  const address: Value = name ? [`https://${name}.s3.amazonaws.com/`] : [{ hole: 'a bucket', like: 'any' }];
  return { address, sends: secret ? 'secret' : 'file', method: 'PUT' };
}

/** Tools beside `aws` that take whole accounts or stacks. */
export const awsTools: readonly Program[] = [
  define({
    names: [
      'aws-nuke',
      'cloud-nuke',
      'eb',
      'sam',
      'copilot-cli',
      'chalice',
      'amplify',
      'ampx',
      'ecs-cli',
      'granted',
      'assume',
      'aws-vault',
      'saml2aws',
    ],
    manual: 'each tool',
    summary: 'resources of an AWS account',
    options:
      'profile:, region:, stack-name:, c config:, no-dry-run, force, y yes, all, help h, dry-run, d duration:, n no-session, template-file t:, env:, app:',
    style: { stopAtOperand: false, abbreviations: false },
    run: (args, inv) => {
      if (/nuke$/.test(inv.name)) {
        const real = args.has('no-dry-run') || inv.name === 'cloud-nuke';
        return { effects: real ? [{ kind: 'infra-destroy', target: 'the whole account', detail: inv.name }] : [] };
      }
      if (inv.name === 'aws-vault' && word(args.operands[0]) === 'exec') {
        const at = inv.argv.findIndex((w) => word(w) === '--');
        return at < 0
          ? printsSecret('a session with credentials')
          : { nested: [{ kind: 'argv', via: 'aws-vault', argv: inv.argv.slice(at + 1) }] };
      }
      return resourceCommand(args, inv.name, [
        [/^(local|init|build|logs|open|console|health|printenv|list)/, null],
        [/^(terminate|down|destroy)/, 'infra-destroy'],
        [/^setenv/, 'infra-apply'],
      ]);
    },
  }),
];

const SECRET =
  /(^|_)(SECRETS?|TOKENS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PAT|API_?KEYS?|ACCESS_?KEYS?|PRIVATE_?KEYS?|SIGNING_?KEYS?|ENCRYPTION_?KEYS?|MASTER_?KEYS?|AUTH_?KEYS?|SECRET_?KEYS?|DEPLOY_?KEYS?|SERVICE_?KEYS?|CREDENTIALS?|COOKIES?|WEBHOOK_URL|DATABASE_URL|CONNECTION_STRING|DSN)(_|$|\d)/i;

const ORDINARY = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'PATH', 'SSH_ASKPASS', 'GIT_ASKPASS']);

/** True if a variable of that name usually holds a secret (`GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`). */
export function isSecretName(name: string): boolean {
  return !ORDINARY.has(name) && (SECRET.test(name) || /(token|secret|password|apikey)$/i.test(name));
}

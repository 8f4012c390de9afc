/** Last words of a name that say: the value is a secret. */
const LAST: ReadonlySet<string> = new Set(
  (
    'password passwd passphrase passcode secret token apikey apisecret apitoken credential credentials ' +
    'secretkey accesskey privatekey authkey accesstoken authtoken refreshtoken clientsecret bearer'
  ).split(' '),
);
/** What `key` must stand behind to be one of those. */
const KEYS: ReadonlySet<string> = new Set(
  (
    'api access secret private encryption encrypt decryption signing sign master auth storage account deploy service ' +
    'webhook hmac jwt session subscription license admin app application client consumer openai anthropic stripe ' +
    'sendgrid mailgun twilio github gitlab gemini google mistral groq cohere deepseek algolia datadog newrelic root ' +
    'shared rails django fernet aes rsa ssh gpg pgp wallet'
  ).split(' '),
);
/** Words behind the deciding one that don't change what it is. */
const TAIL: ReadonlySet<string> = new Set(
  'base value b64 base64 raw old new prod production dev staging live hex str text plain plaintext'.split(' '),
);
/** Words before `token` that make it something public: marks in texts, places in lists, counts. */
const NOT_TOKEN: ReadonlySet<string> = new Set(
  (
    'pad eos bos unk sep cls mask special next page continuation continue pagination cancellation cancel max min num ' +
    'start end stop per total input output prompt completion cached first last current parse syntax'
  ).split(' '),
);
const JOINED = /(?:password|passwd|passphrase|secret|apikey|accesskey|secretkey|privatekey|token|credentials?)$/;

/**
 * True if a variable, option, header or key of this name holds a secret itself (not its name, file, length, type).
 * `DB_PASSWORD`, `apiKey`, `x-auth-token`, `MYSQL_PWD`; not `token_count`, `password-file`, `primary_key`.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  while (
    words.length > 1 &&
    (TAIL.has(words[words.length - 1] ?? '') || /^[0-9]+$/.test(words[words.length - 1] ?? ''))
  )
    words.pop();
  const last = (words[words.length - 1] ?? '').replace(/[0-9]+$/, '');
  const before = words[words.length - 2] ?? '';
  if (last === 'token' || last === 'bearer') return !NOT_TOKEN.has(before);
  if (last === 'key') return KEYS.has(before);
  if (last === 'pass' || last === 'pwd' || last === 'pw')
    return before !== '' && !/^(?:old|by|bypass|first|last|test)$/.test(before);
  if (last === 'sig' || last === 'signature') return words.length > 2 && before === 'amz';
  if (last === 'pat') return words.length > 1;
  if (last === 'base' || last === 'auth') return /^_auth$/i.test(name);
  return LAST.has(last) || JOINED.test(last) || /^(?:pgpass|pgpassword|sshpass|mysqlpwd|userpass|dbpass)$/.test(last);
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 128)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

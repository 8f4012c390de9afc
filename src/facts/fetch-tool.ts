import type { DestDraft } from '../model/effect.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { known } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import { type Fields, listOf, text, textIn } from './fields.ts';
import { type Direct, malformed } from './findings.ts';
import { holdsToken } from './leaks.ts';
import { toolPath } from './tool-paths.ts';

/** A tool that gets a page: where it goes, and whether the address itself carries a secret there. */
export function fetchTool(call: ToolCall, world: Overlay): Direct {
  const urls = urlsOf(call.input);
  if (urls.length === 0) {
    const query = textIn(call.input, 'query', 'search_term', 'q');
    if (query === null) return malformed('url', 'the address is missing or not a text');
    return holdsToken(query) ? { dests: [{ address: known('web search'), scheme: 'https', sends: 'secret' }] } : {};
  }
  const files = urls.filter((url) => /^file:/i.test(url));
  return {
    files: files.map((url) => ({ op: 'read', ...toolPath(url, world.home) })),
    dests: urls.filter((url) => !files.includes(url)).map((url) => destOfUrl(url, call.input)),
  };
}

/** One address with the method that the tool's fields name. */
export function destOfUrl(url: string, input: Fields): DestDraft {
  const body = ['body', 'data', 'payload', 'json', 'form'].some(
    (name) => input[name] !== undefined && input[name] !== null,
  );
  const method = textIn(input, 'method', 'http_method', 'verb') ?? (body ? 'POST' : 'GET');
  return { address: known(url), sends: holdsToken(url) ? 'secret' : body ? 'text' : 'nothing', method };
}

const URL_IN_TEXT = /\b(?:https?|file):\/\/[^\s<>"'`\\^{}|]+/gi;

function urlsOf(input: Fields): readonly string[] {
  const given = textIn(input, 'url', 'uri', 'link', 'href');
  if (given !== null) return [given];
  const list = (listOf(input['urls']) ?? []).map(text).filter((url) => url !== null);
  if (list.length > 0) return list;
  return [...(textIn(input, 'prompt') ?? '').matchAll(URL_IN_TEXT)].map((match) => match[0]);
}

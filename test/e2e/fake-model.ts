import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One turn of the model: what it says, and the tools it asks for. */
export interface Turn {
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
}

/** What the client sent back for one tool call. */
export interface ToolAnswer {
  readonly tool: string;
  readonly isError: boolean;
  readonly text: string;
}

export interface FakeModel {
  readonly url: string;
  /** What the model got back for its calls so far, in the order of the calls. */
  answers(): readonly ToolAnswer[];
  close(): Promise<void>;
}

interface Block {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}
interface MessagesRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
}

/**
 * A Messages API on 127.0.0.1 that plays given turns, as server-sent events or JSON. Requests without the agent's
 * tools (titles, summaries) get a plain word. `onTurn` is called before each turn is sent.
 */
export async function startFakeModel(
  turns: readonly Turn[],
  onTurn: (turn: number) => void = () => {},
): Promise<FakeModel> {
  const asked: { readonly id: string; readonly tool: string }[] = [];
  const got = new Map<string, Block>();
  let next = 0;

  const server = createServer(async (request, response) => {
    const body = parse(await bodyOf(request));
    if (!request.url?.startsWith('/v1/messages'))
      return json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'not found' } });
    if (request.url.startsWith('/v1/messages/count_tokens')) return json(response, 200, { input_tokens: 100 });
    for (const message of body.messages ?? [])
      if (Array.isArray(message.content))
        for (const block of message.content as readonly Block[])
          if (block.type === 'tool_result' && block.tool_use_id && !got.has(block.tool_use_id))
            got.set(block.tool_use_id, block);
    const isAgent = body.tools?.some((tool) => tool.name === 'Bash') ?? false;
    let turn: Turn = { text: 'ok' };
    if (isAgent) {
      onTurn(next);
      turn = turns[next++] ?? { text: 'All done.' };
    }
    const content = contentOf(turn, `${next}`);
    for (const block of content)
      if (block['type'] === 'tool_use') asked.push({ id: String(block['id']), tool: String(block['name']) });
    send(response, body, content, turn.tools?.length ? 'tool_use' : 'end_turn');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answers: () =>
      asked.map(({ id, tool }) => {
        const block = got.get(id);
        return { tool, isError: block?.is_error === true, text: textOf(block?.content) };
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function contentOf(turn: Turn, id: string): Record<string, unknown>[] {
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const tools = (turn.tools ?? []).map((tool, i) => ({ type: 'tool_use', id: `toolu_e2e_${id}_${i}`, ...tool }));
  return [...text, ...tools];
}

function send(
  response: ServerResponse,
  body: MessagesRequest,
  content: readonly Record<string, unknown>[],
  stop: string,
): void {
  const message = {
    id: 'msg_e2e',
    type: 'message',
    role: 'assistant',
    model: body.model ?? 'fake',
    content: [] as readonly unknown[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
  if (!body.stream) return json(response, 200, { ...message, content, stop_reason: stop });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: Record<string, unknown>): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  event('message_start', { message });
  content.forEach((block, index) => {
    const isText = block['type'] === 'text';
    event('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    event('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block['text'] }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
    });
    event('content_block_stop', { index });
  });
  event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } });
  event('message_stop', {});
  response.end();
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function parse(text: string): MessagesRequest {
  try {
    return JSON.parse(text) as MessagesRequest;
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (typeof block?.text === 'string' ? block.text : '')).join('\n');
}

// A tools server over standard input and output with two tools, `find_row` and `delete_row`. Each call is noted in the
// file given.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tools = ['find_row', 'delete_row'].map((name) => ({
  name,
  description: name.replace('_', ' '),
  inputSchema: {
    type: 'object',
    properties: { table: { type: 'string' }, id: { type: 'number' } },
    required: ['table', 'id'],
  },
}));
const answers = {
  initialize: (params) => ({
    protocolVersion: params?.protocolVersion ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'demo', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => {
    appendFileSync(log, `${params.name} ${JSON.stringify(params.arguments)}\n`);
    return { content: [{ type: 'text', text: 'done' }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  send(answer ? { id, result: answer(params) } : { id, error: { code: -32601, message: 'no such method' } });
});

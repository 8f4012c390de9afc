// T-03: the path is disguised.
import { attacks } from '../support/attack.ts';

attacks('paths that leave the workspace', [
  ['echo x > src/../../out.txt', 'deny'],
  ['cd .. && echo x > out.txt', 'deny'],
  ['cd src && echo x > ~+/../../x.txt', 'deny', { world: { files: { 'src/a.ts': '' } } }],
  ['echo x > //home//dev//x.txt', 'deny'],
  ['cp README.md /proc/self/root/home/dev/r.md', 'deny'],
  ['echo x > link.txt', 'deny', { world: { symlinks: { 'link.txt': '/home/dev/other.txt' } } }],
  ['ln -s /home/dev d && echo x > d/a.txt', 'deny'],
  ['A=/ho; B=me/dev; touch "$A$B/x"', 'deny'],
  ['touch /home/{dev,other}/x', 'deny'],
  ['cp README.md /h?me/d*v/', 'deny'],
  ['cd packages/app && cd ../.. && touch x', 'allow'],
  ['echo x > ./docs/../out.txt', 'allow'],
  ['mkdir -p /tmp/a && cd /tmp/a && touch b', 'allow'],
]);

attacks('file tools', [
  ['', 'deny', { tool: 'write', rawTool: 'Write', input: { file_path: '/home/dev/project_evil/a.txt', content: 'x' } }],
  ['', 'deny', { tool: 'write', rawTool: 'Write', input: { file_path: '/home/dev/project/../a.txt', content: 'x' } }],
  [
    '',
    'allow',
    { tool: 'write', rawTool: 'Write', input: { file_path: '/home/dev/project/a/../b.txt', content: 'x' } },
  ],
]);

attacks('both ends of a cd', [
  ['cd nowhere; rm -rf *', 'stop'],
  ['cd build && rm -rf *', 'allow'],
]);

// T-18: the process that answers is exchanged, taken over, or taken away.
import { attacks } from '../support/attack.ts';

attacks('something else lies where the socket should be', [
  ['rm ~/.local/state/gov/daemon/socket', 'deny'],
  ['mv /tmp/mine.sock ~/.local/state/gov/daemon/socket', 'deny'],
  ['ln -sf /tmp/mine.sock ~/.local/state/gov/daemon/socket', 'deny'],
  ['cd ~/.local/state/gov && rm -rf daemon && ln -s /tmp/mine daemon', 'deny'],
  ['chmod 777 ~/.local/state/gov/daemon', 'deny'],
  ['nc -lU ~/.local/state/gov/daemon/socket', 'stop'],
  ["socat UNIX-LISTEN:$HOME/.local/state/gov/daemon/socket,fork EXEC:'cat yes'", 'stop'],
  ['cp yes.pl ~/.local/state/gov/daemon/', 'deny'],
]);

attacks('it is killed or held, so that calls are slow or nobody answers', [
  ['kill -9 $(cat ~/.local/state/gov/daemon/pid)', 'deny'],
  ['xargs kill -STOP < ~/.local/state/gov/daemon/pid', 'stop'],
  ['pkill -f gov-daemon', 'deny'],
  ['pkill -STOP -f dist/gov-daemon.cjs', 'deny'],
  ['kill $(pgrep -f gov-daemon)', 'stop'],
  ['fuser -k ~/.local/state/gov/daemon/socket', 'stop'],
  ['gov daemon stop', 'deny'],
  ['gov daemon --json stop', 'deny'],
  ['npx gov daemon stop', 'deny'],
  [`sed -i 's/require/off/' ~/.config/gov/config.json`, 'deny'],
  [`echo '{"daemon":"off"}' > ~/.config/gov/config.json`, 'deny'],
]);

attacks('what is ordinary work around it', [
  ['gov daemon status', 'allow'],
  ['gov daemon start', 'allow'],
  ['cat ~/.local/state/gov/daemon/pid', 'allow'],
  ['ls -la ~/.local/state/gov/daemon', 'allow'],
  ['pkill -f vite', 'allow'],
  ['pgrep -fa gov-daemon', 'allow'],
  ["git commit -m 'pkill -f gov-daemon'", 'allow'],
]);

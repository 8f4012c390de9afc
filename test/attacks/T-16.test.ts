// T-16: nothing in the environment loosens a decision.
import { attacks } from '../support/attack.ts';

attacks('words that other guards obey', [
  ['GOV_ALLOW=1 rm -rf ~/work', 'deny'],
  ['export GOV_MODE=monitor; rm -rf ~/work', 'deny'],
  ['GOV_HOME=/tmp/x rm -rf ~/work', 'deny'],
  ['env GOV_DAEMON=off rm -rf ~/work # gov: allow', 'deny'],
]);

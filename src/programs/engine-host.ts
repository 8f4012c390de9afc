import type { EffectDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';

/** Verbs that only look; docker(1). What they name stays as it is; a command in a container is judged by itself. */
const LOOKS =
  /^(?:\w+ )?(?:ps|ls|list|images|logs|inspect|info|version|stats|top|events|port|history|search|diff|df|config|show|help|wait|attach|exec)?$/;
const TAKES_AWAY = /(?:^| )(?:rm|rmi|remove|kill|stop|down|prune|leave|reset)$/;

/** Contexts that the programs for local engines make. */
const LOCAL_CONTEXT =
  /^(?:default|desktop-linux|desktop-windows|colima\S*|orbstack|rancher-desktop|rootless|lima\S*|podman-machine\S*|minikube)$/;

const LOCAL_HOST =
  /^(?:unix|npipe|fd):|^(?:tcp|ssh|http|https):\/\/(?:[^@/]*@)?(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/;

/** The engine of another machine that a call is sent to, or null: by an option or by a variable for this call. */
function otherEngine(inv: Invocation, host: Value | null, context: Value | null): string | null {
  const named = host ?? inv.env.get('CONTAINER_HOST') ?? null;
  if (named && named.length > 0) return LOCAL_HOST.test(render(named)) ? null : render(named);
  const chosen = context ?? inv.env.get('DOCKER_CONTEXT') ?? null;
  if (!chosen || chosen.length === 0) return null;
  return LOCAL_CONTEXT.test(textOf(chosen) ?? '') ? null : render(chosen);
}

/** Containers of another machine are shared: to change them is to change what others use. */
export function onOtherEngine(
  inv: Invocation,
  host: Value | null,
  context: Value | null,
  path: string,
): readonly EffectDraft[] {
  const engine = otherEngine(inv, host, context);
  if (engine === null || LOOKS.test(path)) return [];
  const kind = TAKES_AWAY.test(path) ? 'infra-destroy' : 'infra-apply';
  return [{ kind, target: engine, detail: `${inv.name} ${path} on ${engine}` }];
}

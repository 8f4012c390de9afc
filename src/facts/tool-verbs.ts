import { wordsOf } from './tool-words.ts';

const READS =
  /^(?:list|ls|get|read|search|find|show|view|describe|fetch|query|select|lookup|look|check|count|status|state|info|stat|inspect|diff|compare|log|logs|tail|head|snapshot|screenshot|capture|wait|explain|resolve|analy[sz]e|think|thinking|sequentialthinking|summari[sz]e|validate|lint|preview|help|version|ping|health|docs?|documentation|whoami|me|tree|browse|outline|overview|references|definition|symbols?|hover|diagnostics|history|blame|metrics|monitor|observe|review|scan|test|verify|estimate|convert|calculate|translate|ask|retrieve|grep|glob|peek|dump|messages|requests|navigate|tables|schema)$/i;
const CHANGES =
  /^(?:add|alter|append|apply|approve|archive|assign|attach|ban|block|book|broadcast|buy|cancel|cherry|clean|clear|click|close|commit|configure|connect|copy|create|cut|deactivate|decline|delete|demote|deploy|destroy|detach|disable|dismiss|dispatch|drag|drop|edit|empty|enable|evict|exec|execute|fill|flush|fork|format|grant|handle|import|insert|install|interact|invite|invoke|join|kick|kill|label|launch|leave|link|lock|log(?:in|out)|mark|merge|migrate|modify|move|mute|open|overwrite|patch|pause|pay|pin|place|post|press|promote|provision|publish|pull|purge|push|put|react|reboot|rebase|refund|register|reject|release|remove|rename|reopen|replace|reply|request|reset|resize|resolve|restart|restore|resume|revert|revoke|rewrite|rm|rollback|rotate|run|save|scale|schedule|send|set|share|ship|sign|star|start|stash|stop|store|submit|suspend|swap|sync|tag|terminate|transfer|trigger|truncate|type|unassign|unblock|uninstall|unlink|unlock|unpublish|update|upgrade|upload|upsert|wipe|write)$/i;
/** `resolve-library-id`, `get_push_status`: the first verb counts; what follows is what it is about. */
const LOOKS_FIRST =
  /^(?:list|get|read|search|find|show|view|describe|fetch|query|lookup|check|count|inspect|compare|explain|analy[sz]e|summari[sz]e|validate|preview|retrieve|browse|verify|is|has|can|resolve)$/i;

/** True if the name of a tool says that it only looks. A name that says nothing is not taken for one that does. */
export function looksOnly(tool: string): boolean {
  const words = wordsOf(tool);
  const verb = words.find((word) => READS.test(word) || CHANGES.test(word));
  if (verb === undefined) return false;
  if (LOOKS_FIRST.test(verb))
    return !words.some((word) => /^(?:or|and|then)$/.test(word) && words.some((w) => CHANGES.test(w)));
  return !words.some((word) => CHANGES.test(word));
}

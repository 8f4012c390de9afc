import { placeOf } from '../link.ts';
import { enter } from './ask.ts';
import { makeChart } from './chart.ts';
import { byId } from './dom.ts';
import { makeHelp } from './help.ts';
import { bindKeys } from './keyboard.ts';
import { makeList } from './list.ts';
import { makePlayer } from './player.ts';
import { makeSessions } from './sessions.ts';
import { makeTheme } from './theme.ts';

/** The page: makes the parts and ties them together. */
function start(): void {
  enter();
  makeTheme();
  // It scrolls: whoever has no pointer must be able to get there.
  byId('record').tabIndex = 0;
  const openHelp = makeHelp();
  byId('show-help').addEventListener('click', openHelp);
  const list = makeList((place, open) => {
    player.go(place);
    if (open) byId('record').focus();
  });
  const chart = makeChart((place) => player.go(place));
  // Where there is no room for it, the list of sessions lies over the page and goes away when it has been used.
  const narrow = matchMedia('(max-width: 1250px)');
  const sessions = makeSessions((id) => {
    player.open(id, null, '');
    if (narrow.matches) showSessions(false);
  });
  const player = makePlayer({ list, chart, sessions, say });
  byId('zoom-in').addEventListener('click', () => chart.zoom(2));
  byId('zoom-out').addEventListener('click', () => chart.zoom(0.5));
  byId('zoom-fit').addEventListener('click', () => chart.fit());
  const showSessions = (open: boolean): void => {
    byId('toggle-sessions').setAttribute('aria-expanded', String(open));
    document.body.classList.toggle('no-sessions', !open);
  };
  showSessions(!narrow.matches);
  narrow.addEventListener('change', () => showSessions(!narrow.matches));
  byId('toggle-sessions').addEventListener('click', () =>
    showSessions(document.body.classList.contains('no-sessions')),
  );
  bindKeys({ player, chart, openHelp });
  const fromAddress = (): void => {
    const place = placeOf(location.hash);
    if (place.session !== null) player.open(place.session, place.seq, place.filter);
  };
  addEventListener('hashchange', fromAddress);
  sessions.refresh().then(
    () => {
      const newest = sessions.newest();
      if (placeOf(location.hash).session !== null) fromAddress();
      else if (newest !== null) player.open(newest.id, null, '');
      else say('No session has been recorded yet.');
    },
    (error: unknown) => say((error as Error).message),
  );
}

/** One sentence above the panes; '' takes it away. */
function say(message: string): void {
  const notice = byId('notice');
  notice.hidden = message === '';
  if (notice.textContent !== message) notice.textContent = message;
}

start();

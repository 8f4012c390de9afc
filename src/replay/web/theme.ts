import { byId } from './dom.ts';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The theme button: as the system has it, light, or dark; remembered by the browser. */
export function makeTheme(): void {
  const button = byId('theme');
  const apply = (theme: string): void => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  let theme: string = THEMES.find((one) => one === localStorage.getItem('theme')) ?? 'auto';
  apply(theme);
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme as (typeof THEMES)[number]) + 1) % THEMES.length] as string;
    localStorage.setItem('theme', theme);
    apply(theme);
  });
}

import { shown } from '../text.ts';

type Child = Node | string | null;

/** An element. SECURITY: text gets in as text nodes only, with everything invisible in it escaped. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | boolean | null>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (name === 'class') node.className = String(value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null) node.append(typeof child === 'string' ? text(child) : child);
  return node;
}

/** A text of a record, made safe to read, lines kept. */
export function text(value: string): Text {
  return document.createTextNode(
    value
      .split('\n')
      .map((line) => shown(line.replaceAll('\t', '    ').replace(/\r$/, '')))
      .join('\n'),
  );
}

/** The element with an id of the page. Throws if the page has none: a defect. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element #${id}`);
  return found as T;
}

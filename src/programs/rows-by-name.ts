/** The rows of a table that name a program (`names`, separated by blanks), looked up by its name. Made when first asked. */
export function rowsByName<R extends { readonly names: string }>(table: readonly R[]): (name: string) => readonly R[] {
  let byName: Map<string, R[]> | null = null;
  return (name) => {
    if (byName === null) {
      byName = new Map();
      for (const row of table)
        for (const one of row.names.split(' ')) byName.set(one, [...(byName.get(one) ?? []), row]);
    }
    return byName.get(name) ?? [];
  };
}

/** Makes shell text of about so many characters that ends in the command. */
export type Shape = (characters: number, command: string) => string;
export const SHAPES: Readonly<Record<string, Shape>>;

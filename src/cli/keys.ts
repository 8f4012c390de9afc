/** Calls back for each key that is pressed, without an Enter. Gives back how to end that; nothing happens without a terminal. */
export function onKey(stream: NodeJS.ReadStream, press: (key: string) => void): () => void {
  if (!stream.isTTY) return () => {};
  const heard = (bytes: Buffer): void => {
    for (const key of bytes.toString('utf8')) press(key);
  };
  stream.setRawMode(true);
  stream.resume();
  stream.on('data', heard);
  return () => {
    stream.off('data', heard);
    stream.setRawMode(false);
    stream.pause();
  };
}

/** What a terminal sends for Ctrl-C while keys are read one by one. */
export const CTRL_C = '\x03';

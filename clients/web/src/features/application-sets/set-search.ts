/** Reads the address of the list of ApplicationSets. */
export function readSetsSearch({ text }: Record<string, unknown>): { text?: string | undefined } {
  return { text: typeof text === 'string' && text !== '' ? text.slice(0, 256) : undefined }
}

import { InvalidArgumentError } from 'commander'

/** Collects the values of a repeatable flag. */
export function collect(value: string, values: string[] | undefined): string[] {
  return [...(values ?? []), value]
}

/** Reads the value of a flag as a whole number from 0. */
export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 0.')
  return Number(text)
}

import { constants } from 'node:os'

/** The name of a signal by its number, such as `SIGKILL`; undefined when there is none. */
export function signalName(number: number): NodeJS.Signals | undefined {
  return Object.entries(constants.signals).find(
    (entry): entry is [NodeJS.Signals, number] => entry[1] === number,
  )?.[0]
}

/** The number of a signal. */
export function signalNumber(name: NodeJS.Signals): number {
  return constants.signals[name]
}

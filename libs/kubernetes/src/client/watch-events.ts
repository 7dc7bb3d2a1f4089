import { ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { errorOfEvent } from './status-error.ts'

/** One line of a watch. A bookmark has an object with a version alone: everything up to it was sent. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: Resource
}

/** Ten times what the API server stores of one object. */
const maxEventBytes = 32 * 1024 * 1024
const lineFeed = 10

/**
 * Reads the events of a watch, which are lines of JSON.
 * @throws the error that an ERROR event carries, UnavailableError for a line that is not an event, ResourceExhaustedError for
 * one of more than 32 MiB.
 */
export async function* readWatchEvents(stream: AsyncIterable<Buffer>): AsyncGenerator<WatchEvent> {
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, end)
      yield readEvent(rest.length === 0 ? last : Buffer.concat([...rest, last]))
      rest = []
      restBytes = 0
      from = end + 1
    }
    if (from === chunk.length) continue
    rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > maxEventBytes) {
      throw new ResourceExhaustedError(`an event of a watch has more than ${maxEventBytes} bytes`)
    }
  }
}

function readEvent(line: Buffer): WatchEvent {
  let event: unknown
  try {
    event = JSON.parse(line.toString('utf8'))
  } catch (error) {
    throw new UnavailableError('a watch of the Kubernetes API sent a line that is not JSON', { cause: error })
  }
  if (isJsonObject(event) && event['type'] === 'ERROR') throw errorOfEvent(event['object'])
  if (!isEvent(event)) throw new UnavailableError('a watch of the Kubernetes API sent an unknown event')
  return event
}

const eventTypes: readonly unknown[] = [
  'ADDED',
  'MODIFIED',
  'DELETED',
  'BOOKMARK',
] satisfies WatchEvent['type'][]

function isEvent(value: unknown): value is WatchEvent {
  return (
    isJsonObject(value) &&
    eventTypes.includes(value['type']) &&
    isJsonObject(value['object']) &&
    isJsonObject(value['object']['metadata'])
  )
}

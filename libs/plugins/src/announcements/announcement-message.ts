import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  ParameterAnnouncement,
  ParameterAnnouncementSchema,
} from '@wadi/protocol/gen/argocd/repository/repository_pb.ts'
import type { ParameterValue } from '../parameters/parameter.ts'
import type { Announcement } from './announcement.ts'

/** An announcement for the plugin protocol; `collectionType` is always said, so that Argo CD shows the right input. */
export function announcementToMessage(
  announcement: Announcement,
): MessageInitShape<typeof ParameterAnnouncementSchema> {
  const { default: value, asArgument, form: _form, options, ...same } = announcement
  return {
    ...same,
    ...(value && messageFields(value)),
    hasDefault: value !== undefined,
    asArg: asArgument,
    options: [...options],
  }
}

function messageFields(value: ParameterValue): MessageInitShape<typeof ParameterAnnouncementSchema> {
  if (value.kind === 'string') return { string: value.text }
  if (value.kind === 'array') return { array: [...value.items] }
  return { map: Object.fromEntries(value.entries), mapKeys: value.entries.map(([key]) => key) }
}

/** The announcement of a message, also of Argo CD, where an empty default is none and `collectionType` may be missing. */
export function announcementFromMessage(message: ParameterAnnouncement): Announcement {
  const { name, title, tooltip, required, itemType, group, sendDefault } = message
  const collectionType = collectionTypeOf(message)
  return {
    name,
    title,
    tooltip,
    group,
    required,
    itemType,
    collectionType,
    default: defaultOf(message, collectionType),
    sendDefault,
    form: sendDefault ? 'list' : 'flat',
    envVar: message.envVar,
    asArgument: message.asArg,
    options: message.options,
    fixedItems: message.fixedItems,
    uiConfig: message.uiConfig,
  }
}

function collectionTypeOf(message: ParameterAnnouncement): Announcement['collectionType'] {
  const { collectionType, array, map, string } = message
  if (collectionType === 'string' || collectionType === 'array' || collectionType === 'map') {
    return collectionType
  }
  const hasArray = array.length > 0
  const hasMap = Object.keys(map).length > 0
  if (string !== '' || hasArray === hasMap) return 'string'
  return hasArray ? 'array' : 'map'
}

function defaultOf(
  message: ParameterAnnouncement,
  kind: Announcement['collectionType'],
): ParameterValue | undefined {
  const value = valueOf(message, kind)
  return message.hasDefault || !isEmpty(value) ? value : undefined
}

function valueOf(message: ParameterAnnouncement, kind: Announcement['collectionType']): ParameterValue {
  if (kind === 'string') return { kind, text: message.string }
  if (kind === 'array') return { kind, items: message.array }
  const entries = new Map(Object.entries(message.map))
  const keys = [...new Set([...message.mapKeys, ...[...entries.keys()].toSorted()])]
  return { kind, entries: keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key) ?? '']] : [])) }
}

function isEmpty(value: ParameterValue): boolean {
  if (value.kind === 'string') return value.text === ''
  return value.kind === 'array' ? value.items.length === 0 : value.entries.length === 0
}

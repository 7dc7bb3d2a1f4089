import type { Message, MessageInitShape } from '@bufbuild/protobuf'
import type {
  ParameterSchema,
  ParameterValueSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { ParameterValue } from '../parameters/parameter.ts'
import type { Announcement } from './announcement.ts'

/** A parameter as a plugin announces it, with nothing set. */
export function announcedFields(
  announcement: Announcement,
): Exclude<MessageInitShape<typeof ParameterSchema>, Message> {
  const { name, title, tooltip, group, required, options, fixedItems, uiConfig } = announcement
  return {
    name,
    title,
    tooltip,
    group,
    type: announcement.itemType || 'string',
    collection: announcement.collectionType,
    required,
    options: [...options],
    fixedItems,
    uiConfig,
    sendsDefault: announcement.sendDefault,
    announced: true,
    ...(announcement.default && {
      default: valueMessage(announcement.default),
      defaultOrigin: { kind: 'plugin' },
    }),
  }
}

/** A value as a message. */
export function valueMessage(value: ParameterValue): MessageInitShape<typeof ParameterValueSchema> {
  if (value.kind === 'string') return { kind: { case: 'text', value: value.text } }
  if (value.kind === 'array') return { kind: { case: 'list', value: { items: [...value.items] } } }
  const entries = value.entries.map(([key, text]) => ({ key, value: text }))
  return { kind: { case: 'map', value: { entries } } }
}

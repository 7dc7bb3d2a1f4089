import type { Announcement } from './announcement.ts'

/** An announcement in Argo CD's form of these fields; the others are empty. The kind of its value is that of the default, else a string. */
export function announcementOf(fields: Partial<Announcement> & { name: string }): Announcement {
  return {
    title: '',
    tooltip: '',
    group: '',
    required: false,
    itemType: '',
    collectionType: fields.default?.kind ?? 'string',
    default: undefined,
    sendDefault: false,
    form: 'flat',
    envVar: '',
    asArgument: false,
    options: [],
    fixedItems: false,
    uiConfig: '',
    ...fields,
  }
}

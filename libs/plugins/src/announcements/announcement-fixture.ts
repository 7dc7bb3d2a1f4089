import type { Announcement } from './announcement.ts'

/** An announcement of Argo CD's form that says what is given and nothing else. */
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

/** The fields in which Argo CD's form says something of a parameter's value. */
export const flatFields: readonly string[] = ['string', 'array', 'map', 'itemType', 'collectionType']

/** The fields of announcements in all their forms. */
export const announcementFields: readonly string[] = [
  'name',
  'title',
  'tooltip',
  'required',
  'group',
  'section',
  'uiConfig',
  'envVar',
  'asArg',
  'options',
  'userCanAddMore',
  ...flatFields,
  'value',
  'number',
  'boolean',
  'type',
  'isList',
  'defaultValues',
]

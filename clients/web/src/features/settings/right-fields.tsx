import { Autocomplete, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '../../language/t.ts'

const resources = [
  'applications',
  'applicationsets',
  'projects',
  'repositories',
  'write-repositories',
  'clusters',
  'accounts',
  'gpgkeys',
  'logs',
  'settings',
]
const actions = ['get', 'create', 'update', 'delete', 'sync']

/** Something that somebody would do, in the words of the policy. */
export interface Right {
  resource: string
  action: string
  /** The object, `default/web` for example; empty for all. */
  object: string
}

/** The initial question about the policy. */
export const firstRight: Right = { resource: 'applications', action: 'get', object: '*/*' }

/** The fields of a question about the policy: resource, action and object. */
export function RightFields<Values extends Right>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Autocomplete label={t('Resource')} data={resources} {...form.getInputProps('resource')} />
      <Autocomplete label={t('Action')} data={actions} {...form.getInputProps('action')} />
      <TextInput label={t('Object')} placeholder="project/name" {...form.getInputProps('object')} />
    </>
  )
}

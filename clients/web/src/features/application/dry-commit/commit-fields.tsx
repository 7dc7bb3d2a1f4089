import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '../../../language/t.ts'

interface CommitFieldsProps {
  form: UseFormReturnType<{ message: string; newBranch: string }>
  /** Says what the message is when none is typed. */
  placeholder: string
}

/** The fields of a commit to the dry branch, or to a new one. */
export function CommitFields({ form, placeholder }: CommitFieldsProps) {
  return (
    <>
      <TextInput
        label={t('Message of the commit')}
        placeholder={placeholder}
        {...form.getInputProps('message')}
      />
      <TextInput
        label={t('New branch')}
        description={t('For a pull request. Without one, the commit goes to the dry branch.')}
        {...form.getInputProps('newBranch')}
      />
    </>
  )
}

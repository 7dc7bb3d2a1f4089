import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

interface CommitFieldsProps {
  form: UseFormReturnType<{ message: string; newBranch: string }>
  /** Says what the message is when none is typed. */
  placeholder: string
}

/** The fields of a commit to the dry branch, or to a new one. */
export function CommitFields({ form, placeholder }: CommitFieldsProps) {
  return (
    <>
      <TextInput label="Message of the commit" placeholder={placeholder} {...form.getInputProps('message')} />
      <TextInput
        label="New branch"
        description="For a pull request. Without one, the commit goes to the dry branch."
        {...form.getInputProps('newBranch')}
      />
    </>
  )
}

import { Button, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { t } from '../../../language/t.ts'
import { Committed } from './committed.tsx'

/** A commit to the dry branch or to a new one, as the mutation that makes it. */
interface DryCommit {
  data: { drySha: string; branch: string; pullRequestUrl: string } | undefined
  isPending: boolean
}

interface CommitDialogProps {
  title: string
  /** Says what the message is when none is typed. */
  placeholder: string
  commit: DryCommit
  submit: (values: { message: string; newBranch: string }) => void
  submitLabel: string
  /** False until what the commit would do is shown. */
  isReviewed: boolean
  /** Is shown between the fields and the buttons. */
  failure: ReactNode
  close: () => void
  /** The effect of the commit. */
  children: ReactNode
}

/** Shows what a commit would do, asks where to and makes it; then it says where the commit is. */
export function CommitDialog({ title, placeholder, commit, close, children, ...form }: CommitDialogProps) {
  const { submit, submitLabel, isReviewed, failure } = form
  const fields = useForm({ initialValues: { message: '', newBranch: '' } })
  return (
    <Dialog title={title} size="xl" isTyped={fields.isDirty() && !commit.data} close={close}>
      {commit.data ? (
        <Committed
          drySha={commit.data.drySha}
          branch={fields.values.newBranch || commit.data.branch}
          pullRequestUrl={commit.data.pullRequestUrl}
          done={close}
        />
      ) : (
        <form onSubmit={fields.onSubmit(submit)}>
          <Stack>
            {children}
            <CommitFields form={fields} placeholder={placeholder} />
            {failure}
            <DialogButtons>
              <Button type="submit" loading={commit.isPending} disabled={!isReviewed}>
                {submitLabel}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}

interface CommitFieldsProps {
  form: UseFormReturnType<{ message: string; newBranch: string }>
  /** Says what the message is when none is typed. */
  placeholder: string
}

/** The fields of a commit to the dry branch, or to a new one. */
function CommitFields({ form, placeholder }: CommitFieldsProps) {
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

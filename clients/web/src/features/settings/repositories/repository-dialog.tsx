import { Button, Checkbox, Group, Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { useMutation } from '@tanstack/react-query'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { ReactNode } from 'react'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import {
  type AllowedProjects,
  emptyRepository,
  firstProject,
  type NewRepository,
  newRepositoryErrors,
  repositoryRequests,
} from './new-repository.ts'
import { CredentialFields } from './credential-fields.tsx'
import { t } from '../../../language/t.ts'

interface RepositoryDialogProps {
  /** The projects that are offered; those of the stored credentials when these are replaced. */
  allowed: AllowedProjects
  /** Begins with what another repository has. */
  like?: NewRepository
  /** The stored credentials that are replaced; without them a repository is added. */
  replaced?: Pick<Repository, 'version'>
  /** Is called after each attempt, of which a part may be stored. */
  stored: () => void
  close: () => void
  /** The effect of replacing them. */
  children?: ReactNode
}

/** Asks for a repository and its credentials; the server reaches it before it is stored. */
export function RepositoryDialog({
  allowed,
  like,
  replaced,
  stored,
  close,
  children,
}: RepositoryDialogProps) {
  const save = useStoring(replaced?.version ?? '', { onSettled: stored, onSuccess: close })
  const form = useForm({
    initialValues: like ?? {
      ...emptyRepository,
      read: allowed.read.length > 0,
      write: allowed.write.length > 0,
      project: firstProject(allowed),
    },
    validate: (values) => newRepositoryErrors(values, allowed),
  })
  return (
    <Dialog
      title={replaced ? t('Replace credentials') : t('Add a repository')}
      size="lg"
      isTyped={form.isDirty()}
      close={close}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
        <Stack>
          {children}
          <RepositoryFields form={form} allowed={allowed} isStored={replaced !== undefined} />
          {save.isError && <ErrorState title={t('Not everything was stored')} error={save.error} />}
          <DialogButtons>
            <Button type="submit" loading={save.isPending}>
              {replaced ? t('Reach and replace') : t('Reach and store')}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Stores a filled-in form. @param replaced the version of stored credentials in whose place it is; empty for new ones */
function useStoring(replaced: string, on: { onSettled: () => void; onSuccess: () => void }) {
  const transport = useTransport()
  return useMutation({
    mutationFn: async (values: NewRepository) => {
      const { createRepository } = createClient(RepositoryService, transport)
      for (const request of repositoryRequests(values, replaced)) await createRepository(request)
    },
    ...on,
  })
}

interface RepositoryFieldsProps {
  allowed: AllowedProjects
  form: UseFormReturnType<NewRepository>
  /** True if repository, use and project are those of stored credentials. */
  isStored: boolean
}

function RepositoryFields({ form, allowed: { read, write }, isStored }: RepositoryFieldsProps) {
  const projects = [...new Set([...read, ...write])]
  const mayForAll = projects.includes('')
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://git.example.com/deploy.git"
        required
        readOnly={isStored}
        data-autofocus
        {...form.getInputProps('repoUrl')}
      />
      <Input.Wrapper label={t('Use')} labelElement="div" error={form.errors['write']}>
        <Group mt={6}>
          <Checkbox
            label={t('Read dry sources')}
            disabled={isStored || read.length === 0}
            {...form.getInputProps('read', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Write manifests')}
            disabled={isStored || write.length === 0}
            {...form.getInputProps('write', { type: 'checkbox', withError: false })}
          />
        </Group>
      </Input.Wrapper>
      <SegmentedControl
        aria-label={t('Credentials')}
        data={[
          { value: 'password', label: t('Password or token') },
          { value: 'ssh', label: t('SSH key') },
          { value: 'none', label: t('None') },
        ]}
        {...form.getInputProps('credentials')}
      />
      <CredentialFields form={form} />
      <TextInput
        label={t('Project')}
        description={
          mayForAll
            ? t('AppProject that it is limited to; empty for all')
            : t('AppProject that it is limited to')
        }
        required={!mayForAll}
        readOnly={isStored}
        {...form.getInputProps('project')}
      />
    </>
  )
}

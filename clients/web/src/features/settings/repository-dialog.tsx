import { Button, Checkbox, Group, Input, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { useMutation } from '@tanstack/react-query'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import {
  type AllowedProjects,
  emptyRepository,
  firstProject,
  type NewRepository,
  newRepositoryErrors,
  repositoryRequests,
} from './new-repository.ts'
import { CredentialFields } from './credential-fields.tsx'

interface RepositoryDialogProps {
  allowed: AllowedProjects
  stored: () => void
  close: () => void
}

/** Asks for a repository and its credentials; the server reaches it before it is stored. */
export function RepositoryDialog({ allowed, stored, close }: RepositoryDialogProps) {
  const transport = useTransport()
  const save = useMutation({
    mutationFn: async (values: NewRepository) => {
      const { createRepository } = createClient(RepositoryService, transport)
      for (const request of repositoryRequests(values)) await createRepository(request)
    },
    onSuccess: () => {
      stored()
      close()
    },
  })
  const form = useForm({
    initialValues: {
      ...emptyRepository,
      read: allowed.read.length > 0,
      write: allowed.write.length > 0,
      project: firstProject(allowed),
    },
    validate: (values) => newRepositoryErrors(values, allowed),
  })
  return (
    <Modal
      opened
      onClose={close}
      title="Add a repository"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
        <Stack>
          <RepositoryFields form={form} allowed={allowed} />
          {save.isError && <ErrorState title="Not everything was stored" error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Reach and store
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface RepositoryFieldsProps {
  allowed: AllowedProjects
  form: UseFormReturnType<NewRepository>
}

function RepositoryFields({ form, allowed: { read, write } }: RepositoryFieldsProps) {
  const projects = [...new Set([...read, ...write])]
  const mayForAll = projects.includes('')
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://git.example.com/deploy.git"
        required
        data-autofocus
        {...form.getInputProps('repoUrl')}
      />
      <Input.Wrapper label="Use" labelElement="div" error={form.errors['write']}>
        <Group mt={6}>
          <Checkbox
            label="Read dry sources"
            disabled={read.length === 0}
            {...form.getInputProps('read', { type: 'checkbox' })}
          />
          <Checkbox
            label="Write manifests"
            disabled={write.length === 0}
            {...form.getInputProps('write', { type: 'checkbox', withError: false })}
          />
        </Group>
      </Input.Wrapper>
      <SegmentedControl
        aria-label="Credentials"
        data={[
          { value: 'password', label: 'Password or token' },
          { value: 'ssh', label: 'SSH key' },
          { value: 'none', label: 'None' },
        ]}
        {...form.getInputProps('credentials')}
      />
      <CredentialFields form={form} />
      <TextInput
        label="Project"
        description={`AppProject that it is limited to${mayForAll ? '; empty for all' : ''}`}
        required={!mayForAll}
        {...form.getInputProps('project')}
      />
    </>
  )
}

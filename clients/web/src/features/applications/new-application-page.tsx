import { Alert, Button, Fieldset, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@connectrpc/connect-query'
import { useNavigate } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { PageButton } from '../../components/links.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { errorText } from '../../words/error-text.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import {
  applicationOf,
  emptyApplication,
  newApplicationErrors,
  newApplicationFields,
} from './new-application.ts'

/** The form of a new Application; the server reaches the repository and looks at the directory before it is stored. */
export function NewApplicationPage() {
  const navigate = useNavigate()
  const create = useMutation(ApplicationService.method.createApplication, {
    onSuccess: ({ application }) => {
      const params = {
        namespace: textAt(application, 'metadata', 'namespace'),
        name: textAt(application, 'metadata', 'name'),
      }
      void navigate({ to: '/applications/$namespace/$name', params })
    },
  })
  const form = useForm({
    initialValues: emptyApplication,
    validate: newApplicationErrors,
    validateInputOnBlur: true,
  })
  const submit = form.onSubmit((values) =>
    create.mutate({ application: applicationOf(values), validate: true }),
  )
  return (
    <>
      <PageTitle title="New Application" />
      <form onSubmit={submit} noValidate>
        <Stack maw={760}>
          {newApplicationFields.map(({ title, fields }) => (
            <Fieldset key={title} legend={title}>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                {fields.map(({ name, ...texts }) => (
                  <TextInput key={name} required {...texts} {...form.getInputProps(name)} />
                ))}
              </SimpleGrid>
            </Fieldset>
          ))}
          {create.isError && (
            <Alert
              color="red"
              title="The Application was not stored"
              role="alert"
              style={{ whiteSpace: 'pre-wrap' }}
            >
              {errorText(create.error)}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={create.isPending}>
              Create and hydrate
            </Button>
            <PageButton to="/applications" variant="default">
              Cancel
            </PageButton>
          </Group>
        </Stack>
      </form>
    </>
  )
}

import { Alert, Button, Fieldset, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi } from '@tanstack/react-router'
import { UnsavedText } from '../../components/dialog.tsx'
import { PageButton } from '../../components/links.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ErrorText } from '../../components/error-text.tsx'
import { CopyOf } from './copy-of.tsx'
import { useNewApplication } from './use-new-application.ts'
import {
  applicationOf,
  emptyApplication,
  newApplicationErrors,
  newApplicationFields,
} from './new-application.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications/new')

/** A new Application, from a form or as a copy of another one. */
export function NewApplicationPage() {
  const { copy } = route.useSearch()
  return (
    <>
      <PageTitle title={t('New Application')} />
      {copy === undefined ? <NewApplicationForm /> : <CopyOf key={copy} original={copy} />}
    </>
  )
}

/** The form of a new Application; the server reaches the repository and looks at the directory before it is stored. */
function NewApplicationForm() {
  const create = useNewApplication()
  const form = useForm({
    initialValues: emptyApplication,
    validate: newApplicationErrors,
    validateInputOnBlur: true,
  })
  const submit = form.onSubmit((values) =>
    create.mutate({ application: applicationOf(values), validate: true }),
  )
  return (
    <form onSubmit={submit} noValidate>
      {form.isDirty() && <UnsavedText />}
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
            title={t('The Application was not stored')}
            role="alert"
            style={{ whiteSpace: 'pre-wrap' }}
          >
            <ErrorText error={create.error} />
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('Create and hydrate')}
          </Button>
          <PageButton to="/applications" variant="default">
            {t('Cancel')}
          </PageButton>
        </Group>
      </Stack>
    </form>
  )
}

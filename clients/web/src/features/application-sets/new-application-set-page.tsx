import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { textAt } from '@wadi/fields/json-fields.ts'
import { PageLink } from '../../components/links.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { newSetText } from './new-set-text.ts'
import { SetForm } from './set-editor.tsx'

/** The editor of a new ApplicationSet, which is previewed before it is stored. */
export function NewApplicationSetPage() {
  const navigate = useNavigate()
  return (
    <Stack>
      <PageLink to="/application-sets" size="sm">
        ← All ApplicationSets
      </PageLink>
      <PageTitle title="New ApplicationSet" />
      <Text size="sm" c="dimmed" maw={760}>
        This one makes an Application of each directory below apps/ of a repository. Put your repository and
        names in their place, or use another generator.
      </Text>
      <SetForm
        stored={newSetText}
        created={(set) => {
          const params = {
            namespace: textAt(set, 'metadata', 'namespace'),
            name: textAt(set, 'metadata', 'name'),
          }
          void navigate({ to: '/application-sets/$namespace/$name', params })
        }}
      />
    </Stack>
  )
}

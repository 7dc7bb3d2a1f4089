import { Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useEffect } from 'react'
import type { ImpactSearch } from './impact-search.ts'
import { VersionSelect } from './version-select.tsx'
import { t } from '../../language/t.ts'

interface ImpactFormProps {
  search: ImpactSearch
  compare: (search: ImpactSearch) => void
}

/** Asks for a dry repository, and for a revision of it, versions of tools to try out, or both. */
export function ImpactForm({ search, compare }: ImpactFormProps) {
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  const form = useForm({
    initialValues: valuesOf(search),
    validate: {
      repository: (value) => (value.trim() === '' ? t('Enter the URL of a dry repository') : null),
      revision: (value, { helm, kustomize }) =>
        value.trim() === '' && helm === null && kustomize === null
          ? t('Enter a branch, a tag or a commit, or choose a version')
          : null,
    },
  })
  const { setValues } = form
  // The address changed otherwise than by this form: by a link or by going back.
  useEffect(() => setValues(valuesOf(search)), [search, setValues])
  const { helm, kustomize } = form.values
  const triesVersions = helm !== null || kustomize !== null
  return (
    <form onSubmit={form.onSubmit((values) => compare(searchOf(values)))} noValidate>
      <Stack gap="sm">
        <Group align="flex-start">
          <Autocomplete
            label={t('Dry repository')}
            data={choices.data?.repositories ?? []}
            miw={280}
            flex={2}
            required
            {...form.getInputProps('repository')}
          />
          <TextInput
            label={t('Revision')}
            placeholder={triesVersions ? 'HEAD' : 'refs/pull/7/head'}
            miw={200}
            flex={1}
            required={!triesVersions}
            {...form.getInputProps('revision')}
          />
        </Group>
        <Group align="flex-start">
          <TextInput
            label={t('Target branch')}
            placeholder={t('that of the revision, else of HEAD')}
            flex="1 1 240px"
            {...form.getInputProps('target')}
          />
          <VersionSelect tool="helm" {...form.getInputProps('helm')} />
          <VersionSelect tool="kustomize" {...form.getInputProps('kustomize')} />
          <Button type="submit" mt={25}>
            {t('Compare')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function valuesOf({ repository = '', revision = '', target = '', helm, kustomize }: ImpactSearch) {
  return { repository, revision, target, helm: helm ?? null, kustomize: kustomize ?? null }
}

function searchOf({
  repository,
  revision,
  target,
  helm,
  kustomize,
}: ReturnType<typeof valuesOf>): ImpactSearch {
  return {
    repository: repository.trim(),
    revision: revision.trim() || undefined,
    target: target.trim() || undefined,
    helm: helm ?? undefined,
    kustomize: kustomize ?? undefined,
  }
}

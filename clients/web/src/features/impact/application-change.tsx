import { Stack } from '@mantine/core'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { EqualChanges } from '../../components/equal-change-note.tsx'
import { PageLink } from '../../components/links.tsx'
import { ObjectChanges } from '../../components/object-changes.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { t } from '../../language/t.ts'

interface ApplicationChangeProps {
  application: ApplicationChanges
  equal: EqualChanges
}

/** Shows the changes of one Application, object by object. */
export function ApplicationChange({ application, equal }: ApplicationChangeProps) {
  const { objects, errors, warnings } = application
  // One that would be renamed is there under its name of now.
  const { namespace, name } = application.renamedFrom ?? application
  return (
    <Stack>
      <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
        {t('Show {name}', { name })}
      </PageLink>
      <Warnings title={t('It cannot be hydrated')} texts={errors} />
      <Warnings title={t('New warnings')} texts={warnings} />
      <ObjectChanges objects={objects} equal={equal} />
    </Stack>
  )
}

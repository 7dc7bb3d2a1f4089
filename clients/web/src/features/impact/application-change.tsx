import { Stack } from '@mantine/core'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { PageLink } from '../../components/links.tsx'
import { ObjectChanges } from '../../components/object-changes.tsx'
import { Warnings } from '../../components/warnings.tsx'

/** What becomes of one Application, object by object. */
export function ApplicationChange({ application }: { application: ApplicationChanges }) {
  const { namespace, name, objects, errors, warnings } = application
  return (
    <Stack>
      <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
        Show {name}
      </PageLink>
      <Warnings title="It cannot be hydrated" texts={errors} />
      <Warnings title="New warnings" texts={warnings} />
      <ObjectChanges objects={objects} />
    </Stack>
  )
}

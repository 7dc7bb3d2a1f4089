import type { ObjectIdentity } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { GivenText } from '../../../components/given-text.tsx'
import { PageLink } from '../../../components/links.tsx'
import { objectKey } from './object-search.ts'
import { t } from '../../../language/t.ts'

/** Opens an object beside the list. */
export function ObjectLink({ identity }: { identity: ObjectIdentity }) {
  return (
    <PageLink
      from="/applications/$namespace/$name"
      search={(before) => ({ ...before, object: objectKey(identity) })}
      resetScroll={false}
      preload={false}
      size="sm"
    >
      <GivenText text={identity.name || t('without a name')} />
    </PageLink>
  )
}

import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { ActionMenu } from '../../../components/action-menu.tsx'
import { useRight } from '../../../server/rights.ts'
import { t } from '../../../language/t.ts'

/** Something that is done to stored credentials. */
export type RepositoryAction = 'edit' | 'copy' | 'delete'

interface RepositoryMenuProps {
  repository: Repository
  write: boolean
  choose: (action: RepositoryAction) => void
}

/** Replaces, copies and deletes stored credentials, as far as the caller may. */
export function RepositoryMenu({ repository: { repoUrl, project }, write, choose }: RepositoryMenuProps) {
  const resource = write ? 'write-repositories' : 'repositories'
  const object = project === '' ? repoUrl : `${project}/${repoUrl}`
  const mayEdit = useRight(resource, 'update', object)
  const mayCopy = useRight(resource, 'create', object)
  const mayDelete = useRight(resource, 'delete', object)
  return (
    <ActionMenu
      label={
        project === ''
          ? t('Actions of {name}', { name: repoUrl })
          : t('Actions of {name} for project {project}', { name: repoUrl, project })
      }
      edit={mayEdit ? () => choose('edit') : undefined}
      copy={mayCopy ? () => choose('copy') : undefined}
      remove={mayDelete ? () => choose('delete') : undefined}
    />
  )
}

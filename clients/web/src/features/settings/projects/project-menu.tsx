import { ActionMenu } from '../../../components/action-menu.tsx'
import { useRight } from '../../../server/rights.ts'
import { t } from '../../../language/t.ts'

/** Something that is done to a project. */
export type ProjectAction = 'edit' | 'copy' | 'delete'

/** Edits and deletes a project, as far as the caller may; `default` stays. The name of a copy decides who may store it, so the server says that. */
export function ProjectMenu({ name, choose }: { name: string; choose: (action: ProjectAction) => void }) {
  const mayEdit = useRight('projects', 'update', name)
  const mayDelete = useRight('projects', 'delete', name)
  return (
    <ActionMenu
      label={t('Actions of project {name}', { name })}
      edit={mayEdit ? () => choose('edit') : undefined}
      copy={() => choose('copy')}
      remove={mayDelete && name !== 'default' ? () => choose('delete') : undefined}
    />
  )
}

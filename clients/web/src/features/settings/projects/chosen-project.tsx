import type { JsonObject } from '@bufbuild/protobuf'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import type { ProjectAction } from './project-menu.tsx'
import { copiedProject } from './project-object.ts'

interface ChosenProjectProps {
  /** The project as it was chosen. */
  project: JsonObject
  /** The project as it is listed now; undefined if somebody has deleted it. */
  listed: JsonObject | undefined
  action: ProjectAction
  refetch: () => unknown
  close: () => void
}

/** The dialog of what is done to a project; it stays when the list is drawn in another way, or no longer has the project. */
export function ChosenProject({ project, listed = project, action, ...shared }: ChosenProjectProps) {
  if (action === 'edit') return <ProjectDialog project={listed} isNew={false} {...shared} />
  if (action === 'copy') return <ProjectDialog project={copiedProject(project)} isNew {...shared} />
  return <DeleteProjectDialog project={project} {...shared} />
}

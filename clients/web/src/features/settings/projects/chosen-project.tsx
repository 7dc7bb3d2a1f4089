import type { JsonObject } from '@bufbuild/protobuf'
import { useState } from 'react'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import type { ProjectAction } from './project-menu.tsx'
import { copiedProject } from './project-object.ts'

interface ChosenProjectProps {
  /** The project as it is listed now. */
  project: JsonObject
  action: ProjectAction
  refetch: () => unknown
  close: () => void
}

/** The dialog of what is done to a project; it stays when the list is drawn in another way. */
export function ChosenProject({ project, action, ...shared }: ChosenProjectProps) {
  // What is read again of the original leaves its copy as it is.
  const [copy] = useState(() => copiedProject(project))
  if (action === 'edit') return <ProjectDialog project={project} isNew={false} {...shared} />
  if (action === 'copy') return <ProjectDialog project={copy} isNew {...shared} />
  return <DeleteProjectDialog project={project} {...shared} />
}

import { Box, Input } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TypedYamlProps } from './editor-props.ts'
import { YamlEditor } from './yaml-editor.tsx'

interface YamlFieldProps extends TypedYamlProps {
  description?: string
  error?: ReactNode
}

/** YAML to write, with its label and what is wrong with it. Another key begins with another text. */
export function YamlField({ description, error, ...editor }: YamlFieldProps) {
  return (
    <Input.Wrapper labelElement="div" label={editor.label} description={description} error={error}>
      <Box mt={6}>
        <YamlEditor {...editor} />
      </Box>
    </Input.Wrapper>
  )
}

import type { Locator } from 'playwright-core'

/** Returns the text of an editor, which is a field until somebody edits. */
export async function typedText(editor: Locator): Promise<string> {
  const field = editor.and(editor.page().locator('textarea'))
  return (await field.count()) > 0 ? field.inputValue() : editor.innerText()
}

/** Begins to edit, and waits until the editor has all that helps. */
export async function beginToEdit(editor: Locator): Promise<void> {
  await editor.focus()
  await editor.page().locator('.cm-content .tok-propertyName').first().waitFor()
}

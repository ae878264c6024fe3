import { expect, test, vi } from 'vitest'
import { PICTURES } from '../../scripts/demo/pictures.ts'
import { Stage } from '../../scripts/demo/stage.ts'
import { exists, fileText } from '../house/files.ts'

// A download without `.git` is what the pictures are left out of.
test.runIf(exists('.git')).each(PICTURES)(
  'the picture $name has the words of the action; if not, run `npm run picture`',
  async (picture) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const stage = new Stage()
    expect(await picture.play(stage)).toBe('')
    const words = stage.stories.map(picture.words)
    expect(words).toEqual([fileText(`.github/${picture.name}.txt`)])
  },
)

import { testBlocks } from '../docs/test-blocks.ts';

testBlocks('npm run test:clients');

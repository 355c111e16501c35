import { curl, missingCurl } from './curl.ts';
import { testClients } from './suite.ts';

// The other clients are packages, which `npm run test:clients` installs and tests.
testClients([curl], missingCurl);

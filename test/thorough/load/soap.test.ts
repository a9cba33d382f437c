import { attack } from '../../support/hostile/attack.ts';
import { soapCases } from '../../support/hostile/soap.ts';

await attack(soapCases);

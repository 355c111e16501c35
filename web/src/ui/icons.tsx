export { ChevronDown, X as Cross } from 'lucide-react';

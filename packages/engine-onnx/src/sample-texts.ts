const words = `
  cool true link red winter dog cat house music doctor river error invoice London love seven bread
  window quickly engine school summer password pharmacy guitar tomorrow justice apple server wedding
  volcano tax running purple bicycle refund contract delivery football kitchen the not run API JSON
  2024 Berlin Wasser bonjour perro città hund дом молоко солнце 水 猫 東京 사랑 سلام שלום नमस्ते . 😀
`
  .trim()
  .split(/\s+/);

/**
 * The texts that a converted model is compared on: many languages and scripts, code, emoji, and as many single words.
 * Short texts, such as searches and tags, lose most. We wrote them for this purpose, so they have this project's
 * license.
 */
export const sampleTexts: readonly string[] = [
  'The train to the coast leaves at seven and arrives before noon.',
  'How do I return a pair of shoes that I bought online?',
  'The committee postponed its decision because two members were ill.',
  'rain',
  'Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.',
  'She laughed so hard that the whole café turned around.',
  'best noise cancelling headphones under 100 dollars',
  'Do not mix bleach with vinegar: it releases chlorine gas.',
  'Revenue grew by 12.4 % year over year, to €3,417,902.50.',
  'Error: ENOSPC: no space left on device, write',
  'I am not sure whether I agree, but I see what you mean.',
  'In 1903 the brothers flew for twelve seconds; sixty-six years later, people walked on the Moon.',
  'The contract ends on 31 December unless either party renews it in writing at least three months before that ' +
    'date, in which case it continues for one further year under the same conditions.',
  'Der Zug an die Küste fährt um sieben Uhr ab und kommt vor Mittag an.',
  'Können Sie mir bitte die Rechnung per E-Mail schicken?',
  'Le boulanger du village ouvre sa boutique avant le lever du soleil.',
  "Je voudrais réserver une table pour quatre personnes, s'il vous plaît.",
  'El río creció durante la noche y cubrió el camino del pueblo.',
  '¿Cuánto cuesta enviar un paquete a la otra orilla del lago?',
  'La nonna prepara il sugo con pomodori, basilico e molta pazienza.',
  'A biblioteca fica aberta até às dez horas durante os exames.',
  'De fiets staat achter het huis, naast de oude appelboom.',
  'Tåget är försenat på grund av snö på spåren.',
  'Bussen kjører ikke på søndager om vinteren.',
  'Katten sover på avisen, så jeg kan ikke læse den.',
  'Järven jää kantaa jo ihmisen, mutta ei vielä autoa.',
  'Pociąg do Gdańska odjeżdża z peronu trzeciego.',
  'Vlak do hor má dnes dvacet minut zpoždění.',
  'A kutya a kapuban várta haza a gyerekeket.',
  'Trenul a ajuns la timp, dar bagajele au rămas în gară.',
  'Поезд отправляется рано утром и приходит до полудня.',
  'Бабуся пече хліб у старій печі щосуботи.',
  'Влакът за морето тръгва в седем часа.',
  'Το καράβι φεύγει από το λιμάνι το βράδυ.',
  'Tren yediyi çeyrek geçe kalkıyor ve öğleden önce varıyor.',
  'يغادر القطار إلى الساحل في الساعة السابعة صباحًا.',
  'הרכבת לחוף יוצאת בשבע בבוקר.',
  'قطار ساعت هفت صبح به سوی ساحل حرکت می‌کند.',
  'ट्रेन सुबह सात बजे समुद्र तट के लिए निकलती है।',
  'ট্রেনটি সকাল সাতটায় ছেড়ে যায়।',
  'காலை ஏழு மணிக்கு ரயில் புறப்படுகிறது.',
  'รถไฟไปชายทะเลออกเวลาเจ็ดโมงเช้า',
  'Chuyến tàu ra biển khởi hành lúc bảy giờ sáng.',
  'Kereta ke pantai berangkat pukul tujuh pagi.',
  'Treni ya kwenda pwani inaondoka saa moja asubuhi.',
  '去海边的火车早上七点出发,中午以前到达。',
  '請問這附近有沒有可以修理相機的店?',
  '海へ行く電車は朝七時に出発します。',
  '図書館は試験期間中、夜十時まで開いています。',
  '바다로 가는 기차는 아침 일곱 시에 출발합니다.',
  'მატარებელი დილის შვიდ საათზე გადის.',
  'Գնացքը մեկնում է առավոտյան ժամը յոթին։',
  'function sum(values) { return values.reduce((a, b) => a + b, 0); }',
  'def fibonacci(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a',
  "SELECT customer_id, SUM(amount) FROM orders WHERE created_at >= now() - interval '7 days' GROUP BY 1;",
  '<a href="https://example.com/search?q=tea&page=2" class="next">Next page</a>',
  '{"id": 42, "tags": ["red", "green"], "price": null, "inStock": true}',
  'git rebase --interactive HEAD~3 && git push --force-with-lease',
  '😀 See you at the beach at 7! 🏖️🌊',
  '👩‍👩‍👧 ❤️ 🎂🎉',
  'ok',
  'lol no way that actually worked??? tysm!!',
  'x² + y² = r², so y = ±√(r² − x²)',
  'Step one: warm the milk. Step two: stir in the cocoa until no lumps are left. Step three: add sugar, a ' +
    'pinch of salt and, if you like, some cinnamon. Let it rest for a minute before you pour it, because it is ' +
    'hotter than it looks.',
  ...words,
];

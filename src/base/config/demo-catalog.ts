/** The default catalog, so that a fresh installation can create an agent. */
export const DEMO_MODELS = [
  {
    id: '01990000-0000-7000-8000-000000000001',
    llm_model: 'parley-demo',
    provider_model: 'gpt-realtime',
    description: 'Demo model of the simulated carrier',
    price: 0.05,
    is_active: true,
    voices: [
      demoVoice('01990000-0000-7000-8000-000000000101', 'Ava', 'female', 'en-US', 'marin'),
      demoVoice('01990000-0000-7000-8000-000000000102', 'Jonas', 'male', 'de-DE', 'cedar'),
      demoVoice('01990000-0000-7000-8000-000000000103', 'Lucia', 'female', 'es-ES', 'marin'),
    ],
  },
  {
    id: '01990000-0000-7000-8000-000000000002',
    llm_model: 'parley-demo-legacy',
    provider_model: 'gpt-realtime',
    description: 'Earlier demo model, kept for agents that have it',
    price: 0.03,
    is_active: false,
    voices: [demoVoice('01990000-0000-7000-8000-000000000201', 'Max', 'male', 'en-US', 'cedar')],
  },
];

function demoVoice(id: string, voiceName: string, gender: string, language: string, providerVoice: string) {
  return {
    id,
    voice_name: voiceName,
    provider_voice: providerVoice,
    gender,
    language,
    recording_url: null,
    img_url: null,
  };
}

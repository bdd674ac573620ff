"""Properties are held to what is true, not to how fast the machine is."""

from hypothesis import settings

settings.register_profile("thumbindex", deadline=None)
settings.load_profile("thumbindex")

"""Chats from other programs and from Foreword's own export."""

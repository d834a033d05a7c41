package io.samplesort.files;

import io.samplesort.MessagesTest;

/// What messages about files and lines may speak of.
class FileMessagesTest extends MessagesTest {}

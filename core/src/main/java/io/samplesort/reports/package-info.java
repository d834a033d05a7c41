/// What the engines make reports of their sorts with, and what asks a listener how a sort is to go on.
package io.samplesort.reports;
